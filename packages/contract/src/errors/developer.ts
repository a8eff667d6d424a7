import { Type } from 'typebox'
import type { ErrorEntry } from './core.ts'

/** Errors of `/api/console/orgs`. */
export const organizationErrors = {
  ORGANIZATION_NOT_FOUND: { status: 404, message: 'Organization not found' },
  ORGANIZATION_FORBIDDEN: {
    status: 403,
    message: 'Only administrators of the organization may do this',
  },
  SLUG_TAKEN: { status: 409, message: 'The slug is taken; choose another one' },
  TOO_MANY_ORGANIZATIONS: {
    status: 409,
    message: 'You belong to 50 organizations, which is the limit; leave one first',
  },
  ORGANIZATION_OWNS_APPS: {
    status: 409,
    message: 'The organization owns apps; move or delete them first',
  },
  LAST_ADMIN: {
    status: 409,
    message: 'An organization needs an administrator; make another member an administrator first',
  },
  MEMBER_NOT_FOUND: { status: 404, message: 'The user is not a member of the organization' },
  ALREADY_MEMBER: { status: 409, message: 'The user is already a member of the organization' },
  TOO_MANY_INVITATIONS: {
    status: 409,
    message: 'The organization has 100 pending invitations; rescind some first',
  },
  TOO_MANY_INVITATION_MAILS: {
    status: 429,
    message: 'Too many invitations were sent to this address, or by you; try again tomorrow',
  },
  INVITATION_NOT_FOUND: {
    status: 404,
    message: 'The invitation does not exist, has expired or has been used',
  },
  INVITATION_FOR_ANOTHER_ADDRESS: {
    status: 403,
    message: 'The invitation is for another e-mail address; sign in with the invited one',
  },
} as const satisfies Record<string, ErrorEntry>

/** Errors of `/api/console`. */
export const developerErrors = {
  MANIFEST_INVALID: {
    status: 400,
    message: 'The manifest is invalid',
    extraFields: Type.Object(
      {
        problems: Type.Array(
          Type.Object({
            field: Type.String({ description: 'Such as permissions[0].type; empty for the manifest itself' }),
            message: Type.String({ description: 'A sentence that names the field' }),
          }),
        ),
      },
      { examples: [{ problems: [{ field: 'name', message: 'name must not be empty' }] }] },
    ),
  },
  PACKAGE_NAME_TAKEN: { status: 409, message: 'The package name is taken; choose another one' },
  TOO_MANY_APPS: { status: 409, message: 'The owner has 200 apps, which is the limit; delete one first' },
  APP_ADMIN_REQUIRED: {
    status: 403,
    message: 'Only administrators of the organization that owns the app may do this',
  },
  API_KEY_NOT_FOUND: { status: 404, message: 'The app has no API key with this id' },
  IMAGE_REQUIRED: { status: 400, message: 'An image is required, in the field file' },
  IMAGE_INVALID: { status: 400, message: 'The file is not a PNG, JPEG or WebP image, or it is damaged' },
  IMAGE_TOO_LARGE: { status: 413, message: 'The image has too many bytes' },
  IMAGE_DIMENSIONS: { status: 400, message: 'The image has too few or too many pixels' },
  IMAGE_NOT_FOUND: { status: 404, message: 'Image not found' },
  TOO_MANY_STREAMS: { status: 503, message: 'Too many event streams are open; try again later' },
  TOO_MANY_SCREENSHOTS: { status: 409, message: 'An app has at most 8 screenshots; delete one first' },
  APP_NOT_IN_REVIEW: { status: 409, message: 'The app is not in review' },
  APP_REVISION_CHANGED: {
    status: 409,
    message: 'The app has changed since it was listed; review the current revision',
  },
  APP_IN_REVIEW: {
    status: 409,
    message:
      'Permissions, addresses and tools cannot be changed while the app is in review; unpublish it first to withdraw it',
  },
  OWN_ACCOUNT: { status: 409, message: 'Administrators cannot do this to their own account' },
  LAST_ADMINISTRATOR: {
    status: 409,
    message:
      'This is the last administrator of the cloud, who cannot be deleted, suspended or made an ordinary user. Make another user an administrator first, in the console under Administration or with the command "user admin EMAIL"',
  },
} as const satisfies Record<string, ErrorEntry>
