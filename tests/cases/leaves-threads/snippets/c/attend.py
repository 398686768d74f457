# %% one
import threading
import time

threading.Thread(target=time.sleep, args=[600], name='sleeper').start()
