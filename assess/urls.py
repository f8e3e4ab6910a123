"""Addresses of judging, below `/campaigns/<slug>/`."""

from django.urls import path

from assess.views import (
    assigning,
    assignment,
    earlier,
    judging,
    notes,
    practice,
    questions,
    records,
    sharing,
    words,
    workbench,
)

app_name = "assess"
urlpatterns = [
    path("judging/", assigning.judging, name="judging"),
    path("judging/assign/", assigning.assign, name="assign"),
    path("judging/distribute/", assigning.distribute, name="distribute"),
    path("judging/limits/", assigning.limits, name="limits"),
    path("judging/share/", sharing.share, name="share"),
    path("judging/shared/<int:pk>/", sharing.shared, name="shared"),
    path("judging/take-back/", assigning.take_back_unbegun, name="take_back_unbegun"),
    path("judging/<int:pk>/assignment/", assignment.assignment, name="assignment"),
    path("judging/<int:pk>/", judging.judge_page, name="judge_page"),
    path("judging/<int:pk>/judge/", judging.judge, name="judge"),
    path("judging/<int:pk>/undo/", judging.undo, name="undo"),
    path("judging/practice/", practice.practice, name="practice"),
    path("judging/practice/answer/", practice.answer, name="answer_practice"),
    path("judging/practice/skip/", practice.skip, name="skip_practice"),
    path("judging/practice/edit/", practice.edit, name="edit_practice"),
    path("judging/practice.csv", practice.practice_file, name="practice_file"),
    path("judging/questions/", questions.questions, name="questions"),
    path("judging/questions/seen/", questions.see, name="see_answers"),
    path("judging/questions/<int:pk>/", questions.question, name="question"),
    path(
        "judging/questions/<int:pk>/withdraw/",
        questions.withdraw,
        name="withdraw_question",
    ),
    path("judging/<int:pk>/questions/", questions.ask, name="ask"),
    path("judging/<int:pk>/note/", notes.note, name="note"),
    path("judging/<int:pk>/acts/", workbench.acts, name="acts"),
    path("judging/<int:pk>/words/", words.words, name="words"),
    path(
        "judging/<int:pk>/documents/<int:number>/words/",
        words.document_words,
        name="document_words",
    ),
    path("judging/<int:pk>/queue/", workbench.queue, name="queue"),
    path("judging/<int:pk>/lend/", workbench.lend, name="lend"),
    path(
        "judging/<int:pk>/documents/<int:number>/", workbench.document, name="document"
    ),
    path("judging/<int:pk>/documents/", judging.entries, name="entries"),
    path("judging/judgments.csv", records.judgments, name="judgments"),
    path("judging/earlier/", earlier.earlier, name="earlier"),
    path("judging/known-grades.txt", records.known_grades, name="known_file"),
    path("judging/notes.csv", records.notes, name="notes"),
    path("judging/questions.csv", records.questions, name="questions_file"),
    path("judging/assessors.csv", records.assessors, name="assessors_file"),
    path(
        "judging/judgment-events.csv", records.judgment_events, name="judgment_events"
    ),
    path("judging/ratings.csv", records.ratings, name="ratings"),
    path("judging/evidence.csv", records.passages, name="passages"),
]
