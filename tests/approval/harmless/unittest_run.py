import io
import unittest
import unittest.mock


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

    def test_mocked_removal(self):
        with unittest.mock.patch("shutil.rmtree") as rmtree, unittest.mock.patch("os.system") as system:
            import os
            import shutil
            shutil.rmtree("/")
            os.system("reboot")
        rmtree.assert_called_once_with("/")
        system.assert_called_once_with("reboot")

    @unittest.expectedFailure
    def test_fails(self):
        self.fail()


result = unittest.TextTestRunner(io.StringIO()).run(unittest.defaultTestLoader.loadTestsFromTestCase(Test))
print(result.testsRun, len(result.failures), len(result.expectedFailures))
