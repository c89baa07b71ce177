"""Makes a stored result again: `python -m course_lab.experiments NAME`, see `lab.experiment`."""

from course_lab.experiments.lab.experiment import main

if __name__ == "__main__":
    main()
