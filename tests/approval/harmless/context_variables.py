import contextvars

request = contextvars.ContextVar("request", default="none")


def handle():
    request.set("inside")
    return request.get()


context = contextvars.copy_context()
print(context.run(handle), request.get(), context[request])
