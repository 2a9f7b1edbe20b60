class Registry(type):
    known = {}

    def __new__(cls, name, bases, body):
        made = super().__new__(cls, name, bases, body)
        cls.known[name] = made
        return made


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner):
        return getattr(instance, self.name, 0)

    def __set__(self, instance, value):
        if value < 0:
            raise ValueError(value)
        setattr(instance, self.name, value)

    def __delete__(self, instance):
        delattr(instance, self.name)


class Account(metaclass=Registry):
    balance = Positive()


account = Account()
account.balance = 5
print(account.balance, sorted(Registry.known))
del account.balance
try:
    account.balance = -1
except ValueError as error:
    print("refused", error)
print(account.balance)
