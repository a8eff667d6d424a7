export { JobRunStore } from './job-run-store.ts'
export { LeasedRows, ROW_LEASE_MS } from './leased-rows-store.ts'
export { PeriodicTask } from './periodic-task.ts'
export { createSweepJob, type SweepJob } from './sweep-job.ts'
