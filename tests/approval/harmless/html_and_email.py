import email
import email.message
import email.policy
import html
import html.parser

message = email.message.EmailMessage()
message["Subject"] = "Grüße"
message["To"] = "a@example.org"
message.set_content("body")
message.add_attachment(b"\0\1", maintype="application", subtype="octet-stream", filename="x.bin")
again = email.message_from_bytes(message.as_bytes(), policy=email.policy.default)
print(again["Subject"], [part.get_content_type() for part in again.walk()])
print(html.escape("<a & b>"), html.unescape("&eacute;"))


class Links(html.parser.HTMLParser):
    def handle_starttag(self, tag, attrs):
        print(tag, dict(attrs))


Links().feed('<a href="x">y</a>')
