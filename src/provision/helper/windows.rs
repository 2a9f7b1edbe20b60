//! A helper in a job object, which ends with the last handle to it.

use std::ffi::c_void;
use std::io;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, ExitStatus};

use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::CREATE_NO_WINDOW;

use super::Ending;

/// A running helper and its job. When pi ends in whatever way, the job's handle closes and the system ends its members.
pub(super) struct Group {
    child: Child,
    job: Job,
}

impl Group {
    /// Starts the helper. What it starts itself in the moment before it is put into the job is not a member; uv and
    /// Python do nothing that early.
    pub(super) fn spawn(command: &mut Command, _ending: Ending) -> io::Result<Self> {
        let job = Job::new()?;
        let mut child = command.creation_flags(CREATE_NO_WINDOW).spawn()?;
        if let Err(error) = job.assign(&child) {
            let _ = child.kill();
            let _ = child.wait();
            return Err(error);
        }
        Ok(Self { child, job })
    }

    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    pub(super) fn has_exited(&mut self) -> io::Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// There is no polite request to a program without a window.
    #[expect(clippy::unused_self, reason = "the same shape as on other systems")]
    pub(super) fn ask(&self) {}

    /// Ends every member of the job and gives the helper's own status.
    pub(super) fn finish(mut self) -> io::Result<ExitStatus> {
        self.job.terminate();
        self.child.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.job.terminate();
        let _ = self.child.wait();
    }
}

struct Job(OwnedHandle);

impl Job {
    #[expect(unsafe_code, reason = "job objects have no safe interface")]
    fn new() -> io::Result<Self> {
        // SAFETY: both pointers may be null: default security, no name.
        let handle = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle is new, valid and owned by nobody else.
        let job = Self(unsafe { OwnedHandle::from_raw_handle(handle) });
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        let size = u32::try_from(size_of_val(&limits)).expect("the structure is small");
        // SAFETY: the pointer and the size are those of `limits`, which outlives the call.
        let set = unsafe {
            SetInformationJobObject(
                job.0.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast::<c_void>(),
                size,
            )
        };
        if set == 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(job)
    }

    #[expect(unsafe_code, reason = "job objects have no safe interface")]
    fn assign(&self, child: &Child) -> io::Result<()> {
        // SAFETY: both handles are open for the length of the call.
        if unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), child.as_raw_handle()) } == 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }

    #[expect(unsafe_code, reason = "job objects have no safe interface")]
    fn terminate(&self) {
        // SAFETY: the handle is open. A job without members is no fault.
        unsafe { TerminateJobObject(self.0.as_raw_handle(), 1) };
    }
}

/// How a helper ended, for a message.
pub(super) fn describe(status: ExitStatus) -> String {
    status.code().map_or_else(
        || "ended in an unknown way".to_owned(),
        |code| format!("exited with {code}"),
    )
}
