export { JobRunStore } from './job-run-store.ts'
export { LEASE_MS, LeasedRows } from './leased-rows-store.ts'
export { PeriodicTask } from './periodic-task.ts'
export { createSweepJob, type SweepJob } from './sweep-job.ts'
