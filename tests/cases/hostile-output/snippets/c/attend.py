# %% one
import sys

print("</pre></code></div><script>alert(1)</script><img src=x onerror=alert(1)>")
print("```\n/// snippet | nowhere\n///\n# No heading, *no emphasis*, [no link](javascript:alert(1))")
print("&lt;b&gt; &amp; {{ config }} {% raise %} --8<-- 'secret' \x02wzxhzdk:0\x03")
print("\x1b[31mred\x1b[0m \x1b]8;;https://example.org\x07link\x1b]8;;\x07 bell\x07 nul\0 back\b")
sys.stdout.flush()
sys.stdout.buffer.write(b"caf\xe9 \xff\xfe\n")
sys.stdout.flush()
print("<b>error</b> & 'quotes' \"double\"", file=sys.stderr)

# %% two raises="ValueError"
raise ValueError("</div><script>alert(2)</script>\n```\n\0")
