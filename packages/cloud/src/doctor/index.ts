export { failure, ok } from './finding.ts'
export { runChecks } from './run-checks.ts'
