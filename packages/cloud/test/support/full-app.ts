import type { App } from '../../src/features/catalogue/index.ts'
import type { CatalogueRig } from './catalogue-rig.ts'

/** The developer profile of the app. */
export const profile = {
  company: 'Acme Ltd',
  website: 'https://acme.example',
  contactEmail: 'hello@acme.example',
  description: 'Makes everything',
  logo: 'https://acme.example/logo.png',
}

/** Registers an app with every optional field set, owned by an organization with a profile. */
export async function registerFullApp({ organizations, register }: CatalogueRig) {
  const acme = await organizations.ensure('acme', { name: 'Acme', profile }, Date.now())
  return register('org.acme.rich-app', {
    name: 'Rich',
    description: 'Everything filled in',
    logoUrl: 'https://acme.example/rich.png',
    webviewUrl: 'https://acme.example/web',
    appType: 'BACKGROUND',
    featured: true,
    minHardwareVersion: '1.2.0',
    developerId: 'maker@acme.example',
    organizationId: acme.id,
    permissions: [{ type: 'MICROPHONE', description: 'To hear you' }, { type: 'CAMERA' }],
    hardwareRequirements: [
      { type: 'CAMERA', level: 'REQUIRED', description: 'To see' },
      { type: 'LIGHT', level: 'OPTIONAL' },
    ],
  })
}

/** What the details of the app contain. */
export const fullAppDetails = ({ id }: App) => ({
  _id: id,
  packageName: 'org.acme.rich-app',
  name: 'Rich',
  description: 'Everything filled in',
  logoURL: 'https://acme.example/rich.png',
  appType: 'BACKGROUND',
  developerProfile: profile,
  orgName: 'Acme',
  developerName: 'Acme Ltd',
  webviewURL: 'https://acme.example/web',
  permissions: [{ type: 'MICROPHONE', description: 'To hear you' }, { type: 'CAMERA' }],
  uninstallable: true,
  isOnline: true,
})
