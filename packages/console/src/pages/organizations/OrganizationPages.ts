/** The pages of organizations, which a browser loads together. */
export { JoinPage } from './JoinPage.tsx'
export { OrganizationPage } from './OrganizationPage.tsx'
export { OrganizationsPage } from './OrganizationsPage.tsx'
