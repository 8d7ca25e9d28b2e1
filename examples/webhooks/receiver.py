import base64, hashlib, hmac, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

secret = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def is_from_padron(headers, body):
    event_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or len(timestamp) > 12 or abs(time.time() - int(timestamp)) > 300:
        return False
    digest = hmac.new(secret, f"{event_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    received = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(expected, signature.encode()) for signature in received)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("content-length", "")
        body = self.rfile.read(int(length)) if length.isdecimal() else b""
        is_valid = is_from_padron(self.headers, body)
        if is_valid:
            print(self.headers["webhook-id"], body.decode(), flush=True)
        self.send_response(204 if is_valid else 400)
        self.end_headers()


ThreadingHTTPServer(("", int(os.environ["PORT"])), Receiver).serve_forever()
