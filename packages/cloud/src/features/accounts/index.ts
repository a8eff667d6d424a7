export { createAccounts } from './feature.ts'
