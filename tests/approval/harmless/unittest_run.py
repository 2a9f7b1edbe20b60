import io
import unittest


class Test(unittest.TestCase):
    def setUp(self):
        self.path = "fixture.txt"
        with open(self.path, "w") as file:
            file.write("x")

    def tearDown(self):
        import os
        os.remove(self.path)

    def test_reads(self):
        self.assertEqual(open(self.path).read(), "x")

    @unittest.expectedFailure
    def test_fails(self):
        self.fail()


result = unittest.TextTestRunner(io.StringIO()).run(unittest.defaultTestLoader.loadTestsFromTestCase(Test))
print(result.testsRun, len(result.failures), len(result.expectedFailures))
