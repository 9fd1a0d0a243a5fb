"""As much of S3 as a load needs, with nothing but Python: requests signed with SigV4, bodies unsigned."""

import datetime
import hashlib
import hmac
import http.client
import urllib.parse


class Client:
    """One connection; not for several threads."""

    def __init__(self, url, access_key, secret_key):
        self.host = urllib.parse.urlparse(url).netloc
        self.access_key, self.secret_key = access_key, secret_key
        self.connection = http.client.HTTPConnection(self.host, timeout=120)

    def sign(self, method, path):
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        scope = f"{now[:8]}/us-east-1/s3/aws4_request"
        headers = {"host": self.host, "x-amz-content-sha256": "UNSIGNED-PAYLOAD", "x-amz-date": now}
        names = ";".join(headers)
        lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
        request = f"{method}\n{path}\n\n{lines}\n{names}\nUNSIGNED-PAYLOAD"
        text = f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
        key = f"AWS4{self.secret_key}".encode()
        for part in scope.split("/"):
            key = hmac.digest(key, part.encode(), "sha256")
        signature = hmac.digest(key, text.encode(), "sha256").hex()
        headers["authorization"] = (
            f"AWS4-HMAC-SHA256 Credential={self.access_key}/{scope}, SignedHeaders={names}, Signature={signature}")
        return headers

    def request(self, method, path, body=None):
        """The status, and the response, whose body is still to be read."""
        self.connection.request(method, path, body=body, headers=self.sign(method, path))
        response = self.connection.getresponse()
        return response.status, response

    def put(self, path, body=b""):
        status, response = self.request("PUT", path, body)
        response.read()
        return status

    def get_bytes(self, path):
        """The status, and how many bytes came."""
        status, response = self.request("GET", path)
        count = 0
        while chunk := response.read(1 << 20):
            count += len(chunk)
        return status, count

    def reconnect(self):
        self.connection.close()
