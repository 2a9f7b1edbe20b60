//! Paths with letters of any kind, spaces and quotes.

use super::runs::{Ran, code, each, json, place};
use crate::support::Place;
use crate::support::python::real;

#[test]
fn any_letters_in_every_path() {
    let mut names = vec!["Пользователь é 空 格", "a 'quoted' $name & co; #1 (x) % !"];
    if cfg!(unix) {
        names.push("back\\slash \"double\" *?<>|:\nnewline");
    }
    for name in names {
        let place = Place::named(name).with("PI_PYTHON", &real().path);
        let source = "import os, sys; print(os.getcwd()); print(sys.argv[1:])";
        place.write("cwd/mein prögramm.py", source);
        let here = place.cwd();
        let shown = format!("{}\n['ä b', '']\n", here.display());
        let ran = Ran::of(code(&place, source).args(["--", "ä b", ""]))
            .exited(0)
            .printed(&shown);
        assert_eq!(ran.cwd, here);
        let ran = Ran::of(json(&place).args(["mein prögramm.py", "ä b", ""]))
            .exited(0)
            .printed(&shown);
        assert_eq!(ran.cwd, here);
        // A kept output lies under the same name, and its path comes back exactly.
        let ran = Ran::of(code(&place, "for i in range(3000): print(i)")).exited(0);
        let kept = ran.stdout.path.as_deref().expect("it was cut");
        assert!(kept.starts_with(place.agent()), "{kept:?}");
        let whole: String = each(0..3000, |i| format!("{i}\n"));
        assert_eq!(std::fs::read_to_string(kept).unwrap(), whole);
    }
}

#[test]
fn an_interpreter_under_an_odd_name_is_used_as_it_is() {
    #[cfg(unix)]
    {
        let place = Place::named("空 格 'q'");
        let python = crate::support::python::private(&place.path().join("own"));
        let place = place.with("PI_PYTHON", &python);
        let ran = Ran::of(code(&place, "import sys; print(sys.executable)")).exited(0);
        assert_eq!(ran.python.as_ref().unwrap().path, python, "{ran}");
        ran.printed(&format!("{}\n", python.display()));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_directory_whose_name_is_not_unicode_works() {
    use std::os::unix::ffi::OsStrExt;
    let place = place();
    let odd = place.cwd().join(std::ffi::OsStr::from_bytes(b"bad\xff"));
    std::fs::create_dir(&odd).unwrap();
    std::fs::write(odd.join("job.py"), "import os; print(os.getcwdb()[-4:])").unwrap();
    let source = "import os; print(os.getcwdb()[-4:])";
    let shown = "b'bad\\xff'\n";
    let ran = Ran::of(code(&place, source).cwd(&odd))
        .exited(0)
        .printed(shown);
    assert!(ran.cwd.to_string_lossy().contains("bad"), "{ran}");
    Ran::of(json(&place).arg("job.py").cwd(&odd))
        .exited(0)
        .printed(shown);
    let option = std::ffi::OsString::from("--cwd");
    let pi = json(&place)
        .args([option, odd.into_os_string()])
        .arg("job.py");
    Ran::of(pi).exited(0).printed(shown);
}

#[test]
fn a_deep_directory_works() {
    let place = place();
    let deep = (0..6).fold(place.cwd(), |dir, _| dir.join("d".repeat(50)));
    if cfg!(windows) {
        return;
    }
    std::fs::create_dir_all(&deep).unwrap();
    let source = "import os; print(len(os.getcwd()) > 300)";
    let ran = Ran::of(code(&place, source).cwd(&deep))
        .exited(0)
        .printed("True\n");
    assert_eq!(ran.cwd, deep);
}
