import venv

builder = venv.EnvBuilder(with_pip=False, symlinks=True)
print(builder.with_pip, builder.symlinks)
