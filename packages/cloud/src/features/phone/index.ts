export { createPhone } from './feature.ts'
export { PhoneReportStore } from './report-store.ts'
