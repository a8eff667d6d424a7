export { PeriodicTask } from './periodic-task.ts'
