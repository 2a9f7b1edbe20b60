import mailbox

box = mailbox.mbox("mail.mbox")
box.add("From: a@example.org\nSubject: one\n\nbody\n")
box.add("From: b@example.org\nSubject: two\n\nbody\n")
box.flush()
box.remove(0)
box.flush()
print([message["Subject"] for message in box])
box.close()
folder = mailbox.Maildir("maildir")
key = folder.add("Subject: three\n\nbody\n")
folder.discard(key)
print(len(folder))
