import { SLUG_PATTERN } from '@glasses-cloud/contract'

const MAX_LENGTH = 100

const SLUG = new RegExp(SLUG_PATTERN)

/** The form of the ids of organizations, which slugs must not have: an organization is found by either. */
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Derives a slug from a name: `Acme Labs!` becomes `acme-labs`. Empty if the name has no Latin letter or digit. */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, MAX_LENGTH)
}

/** Whether a text can be the slug of an organization. */
export function isUsableSlug(slug: string): boolean {
  return SLUG.test(slug) && !ID.test(slug)
}
