import copy
import copyreg
import pickle


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


copyreg.pickle(Point, lambda point: (Point, (point.x, point.y)))
with open("points.pickle", "wb") as file:
    pickle.dump([Point(1, 2), Point(3, 4)], file)
with open("points.pickle", "rb") as file:
    points = pickle.load(file)
twin = copy.deepcopy(points)
print([(point.x, point.y) for point in twin])
