export { AppPermissions } from './app-permissions.ts'
export { permissionsEndpoints } from './endpoints.ts'
