import resource

soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 100) if soft > 0 else 100, hard))
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0] <= 100)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 0)
