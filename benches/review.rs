//! How fast the review reads: `cargo bench --bench review`. Prints the speed over the standard library of the Python on
//! PATH (or of the files that are named behind `--`), the slowest files of at most 200 kB, and what the smallest program
//! costs.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
#![allow(missing_docs, reason = "a benchmark has no users")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use pi_python::approval::Workspace;
use pi_python::approval::review::{Context, Disk, review};
use pi_python::settings::Settings;

/// A file is measured so many times, and the best counts.
const ROUNDS: usize = 3;
const LARGE: usize = 200_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings::load(None);
    let cwd = std::env::current_dir()?;
    let workspace = Workspace::of(&cwd, &settings);
    let context = Context {
        workspace: &workspace,
        cwd: &cwd,
        file: None,
        files: &Disk,
    };
    let best = |source: &[u8]| {
        let rounds = (0..ROUNDS).map(|_| {
            let begin = Instant::now();
            std::hint::black_box(review(source, &context));
            begin.elapsed()
        });
        rounds.min().unwrap_or_default()
    };
    let begin = Instant::now();
    std::hint::black_box(review(b"pass", &context));
    println!("`pass`, the first time: {:?}", begin.elapsed());
    println!("`pass`: {:?}", best(b"pass"));
    let begin = Instant::now();
    std::hint::black_box(review(b"import os\nos.getpid()", &context));
    println!("`import os`, the first time: {:?}", begin.elapsed());

    let (mut bytes, mut spent, mut count) = (0, Duration::ZERO, 0);
    let mut times: Vec<(Duration, usize, PathBuf)> = Vec::new();
    let named: Vec<PathBuf> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .map(PathBuf::from)
        .collect();
    for path in if named.is_empty() { library()? } else { named } {
        let Ok(source) = std::fs::read(&path) else {
            continue;
        };
        let time = best(&source);
        bytes += source.len();
        spent += time;
        count += 1;
        if source.len() <= LARGE {
            times.push((time, source.len(), path));
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "a figure to be read")]
    let speed = bytes as f64 / 1e6 / spent.as_secs_f64();
    println!("{count} files, {bytes} bytes: {speed:.1} MB/s (target: 20)");
    times.sort();
    println!("slowest files of at most {LARGE} bytes (target: 20 ms):");
    for (time, size, path) in times.iter().rev().take(8) {
        println!("  {time:>10.2?}  {size:>7} bytes  {}", path.display());
    }
    Ok(())
}

fn library() -> Result<Vec<PathBuf>, Box<dyn std::error::Error>> {
    let ask = "import sysconfig; print(sysconfig.get_path('stdlib'))";
    let output = Command::new("python3").args(["-I", "-c", ask]).output()?;
    let root = String::from_utf8(output.stdout)?;
    let mut files = Vec::new();
    walk(Path::new(root.trim()), &mut files);
    Ok(files)
}

fn walk(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "site-packages") {
            walk(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "py") {
            files.push(path);
        }
    }
}
