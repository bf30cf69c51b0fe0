"""Runs the example against `bfcl` on the PATH."""
import os
import unittest

from reward import Judge

SUITE = os.environ["SUITE"]


def booked(seat):
    call = {"name": "book", "arguments": '{"seat": "%s"}' % seat}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": call}]}


class Examples(unittest.TestCase):
    def test_reward(self):
        judge = Judge(SUITE)
        self.assertEqual([1.0, 0.0, 0.0], judge([booked("4A"), booked("4B"), "Done."], ["seats_0"] * 3))
        judge.partial = True
        self.assertEqual(5 / 6, judge.one(booked("4B"), "seats_0"))
        self.assertRaisesRegex(ValueError, "no case", judge.one, "x", "seats_9")
        self.assertEqual(2, judge.close())  # of the line that could not be judged


if __name__ == "__main__":
    unittest.main()
