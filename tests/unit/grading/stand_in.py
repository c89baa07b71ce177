"""A judge of the same shape that runs nothing: a notebook says itself what becomes of it."""

import os
import time
from dataclasses import replace

from course_lib.errors import CourseError
from course_lib.grading.assignment import load
from course_lib.grading.record import ERROR, REVIEW, Question, Record, Test, fingerprint


class Judge:
    jail, at = "none: a stand-in", "q1"

    def __init__(self, plan, salt, questions, log=None, good=None, slow=0.5):
        self.plan, self.salt, self.questions = plan, salt, questions
        self.log, self.good, self.slow = log, good, slow

    def __enter__(self):
        if self.plan.allow_weak:
            raise CourseError("the stand-in allows nothing weak")
        return self

    def __exit__(self, *_):
        pass

    def grade(self, notebook, *, student):
        self._note("begin", student)
        record = self._grade(notebook, student)
        self._note("end", student)
        return record

    def _note(self, what, student):
        if self.log:
            with open(self.log, "a") as stream:
                stream.write(f"{what} {student}\n")

    def _grade(self, notebook, student):
        says = "\n".join(cell["source"] for cell in notebook["cells"])
        if "raise" in says:
            raise ZeroDivisionError("judge's own")
        if "die" in says:
            os._exit(7)
        if "hang" in says:
            time.sleep(60)
        if "slow" in says:
            time.sleep(self.slow)
        record = Record(
            self.plan.assignment, self.plan.variant, student, points=20.0, jail=self.jail
        )
        record = replace(record, salt=fingerprint(self.salt))
        if "wrong" in says:
            return replace(record, status=ERROR, reason="wrong")
        questions = []
        for name, known in load(self.plan.assignment).questions.items():
            if self.questions and name not in self.questions:
                continue
            good = f"{name} good" in says or self.good == name
            status = "passed" if good else "failed"
            score = known.points if good else 0.0
            test = Test(f"test_{name}", known.points, score, status, f"want 1.0; got <b>{says}")
            if "late" in says and name == "q1":
                test = replace(test, status="review", score=0.0)
            hidden = Test(f"test_{name}_hidden", 0.0, 0.0, "failed", "the secret", public=False)
            hidden = replace(hidden, topic="What it looks at.")
            questions.append(Question(name, known.points, test.score, (test, hidden)))
        status = REVIEW if "late" in says else record.status
        score = sum(question.score for question in questions)
        return replace(record, score=score, questions=tuple(questions), status=status)


def make(plan, salt, questions, **settings):
    return Judge(plan, salt, questions, **settings)
