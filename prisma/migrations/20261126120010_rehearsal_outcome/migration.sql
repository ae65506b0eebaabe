-- The rehearsal model of the demo could not do what was asked.
ALTER TYPE "job_outcome" ADD VALUE 'rehearsal';
