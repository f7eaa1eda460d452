"""A page in headless Chromium, driven over its debugging pipe (no other package, no port).

https://chromedevtools.github.io/devtools-protocol/: messages are JSON, each ended by a zero byte; the
browser reads file descriptor 3 and writes 4.
"""

import base64
import io
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]


def find():
    """The browser's program, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Page:
    """One page, of `width` pixels; use as a context manager."""

    def __init__(self, path, width=1100, height=1600, timeout=60):
        self.timeout, self.last, self.buffer, self.errors = timeout, 0, b"", []
        self.profile = tempfile.TemporaryDirectory(prefix="starhist-chromium-", ignore_cleanup_errors=True)
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()
        # Through a shell, which gives the pipes the numbers that the browser expects.
        command = 'exec 3<&"$1" 4>&"$2"; shift 2; exec "$@"'
        self.process = subprocess.Popen(
            [
                "/bin/bash",
                "-c",
                command,
                "bash",
                str(to_browser),
                str(from_browser),
                find(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--no-first-run",
                "--remote-debugging-pipe",
                f"--user-data-dir={self.profile.name}",
                f"--window-size={width},{height}",
            ],
            pass_fds=(to_browser, from_browser),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.requests = []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Page.navigate", url=path.resolve().as_uri())
        self.wait_for("document.readyState === 'complete'")

    session = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.profile.cleanup()

    def message(self):
        limit = time.monotonic() + self.timeout
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read_end], [], [], max(0, limit - time.monotonic()))
            more = os.read(self.read_end, 1 << 20) if ready else b""
            if not more:
                raise RuntimeError("Chromium " + ("has ended" if ready else "does not answer"))
            self.buffer += more
        first, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(first)

    def call(self, method, **parameters):
        """The result of a method of the protocol. Errors of the page are kept in `errors`."""
        self.last += 1
        request = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.write_end, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.errors.append(json.dumps(answer["params"]))
            elif answer.get("method") == "Network.requestWillBeSent":
                self.requests.append(answer["params"]["request"]["url"])
            elif answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def value(self, expression):
        """What JavaScript makes of the expression, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait_for(self, expression):
        limit = time.monotonic() + self.timeout
        while not self.value(expression):
            if time.monotonic() > limit:
                raise RuntimeError(f"{expression} does not come true")
            time.sleep(0.02)

    def settle(self):
        """Until what was changed has been drawn."""
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def middle(self, selector):
        return self.value(f"""(() => {{ const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: "center"}});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")

    def mouse(self, kind, x, y, buttons=0, clicks=0, modifiers=0):
        self.call(
            "Input.dispatchMouseEvent",
            type="mouse" + kind,
            x=x,
            y=y,
            buttons=buttons,
            clickCount=clicks,
            button="left" if kind != "Moved" or buttons else "none",
            modifiers=modifiers,
        )

    def click(self, selector, modifiers=0):
        """As a hand does it: on the middle of what the selector finds. Modifiers: 8 is Shift."""
        x, y = self.middle(selector)
        self.mouse("Moved", x, y)
        self.mouse("Pressed", x, y, 1, 1, modifiers)
        self.mouse("Released", x, y, 0, 1, modifiers)
        self.settle()

    def drag(self, x0, x1, y):
        self.mouse("Moved", x0, y)
        self.mouse("Pressed", x0, y, 1, 1)
        self.mouse("Moved", (x0 + x1) / 2, y, 1)
        self.mouse("Moved", x1, y, 1)
        self.mouse("Released", x1, y, 0, 1)
        self.settle()

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                **({"text": key} if len(key) == 1 and kind == "keyDown" else {}),
            )
        self.settle()

    def picture(self, selector=None):
        """Of the element, or the whole page: PNG as bytes."""
        clip = {}
        if selector:
            x, y, width, height = self.value(f"""(() => {{ const box =
                document.querySelector({json.dumps(selector)}).getBoundingClientRect();
                return [box.x + scrollX, box.y + scrollY, box.width, box.height]; }})()""")
            clip = {"clip": {"x": x, "y": y, "width": width, "height": height, "scale": 1}}
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, **clip)
        return base64.b64decode(answer["data"])


def pixels(png):
    """[height, width, 3], 0 to 255."""
    import matplotlib.image

    image = matplotlib.image.imread(io.BytesIO(png), format="png")
    return (image[..., :3] * 255 + 0.5).astype(int)
