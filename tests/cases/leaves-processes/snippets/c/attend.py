# %% one
import subprocess

subprocess.Popen(['sleep', '600'])
