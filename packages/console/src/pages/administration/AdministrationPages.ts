/** The pages for administrators, which a browser loads together: pages of their own files would be many requests. */

export { SpeechModelsPage } from '../speech-models/SpeechModelsPage.tsx'
export { AdministrationFrame } from './AdministrationFrame.tsx'
export { AuditPage } from './AuditPage.tsx'
export { HealthPage } from './HealthPage.tsx'
export { InvitationsPage } from './InvitationsPage.tsx'
export { ReportsPage } from './ReportsPage.tsx'
export { ReviewPage } from './ReviewPage.tsx'
export { SessionsPage } from './SessionsPage.tsx'
export { SettingsPage } from './SettingsPage.tsx'
export { UsersPage } from './UsersPage.tsx'
