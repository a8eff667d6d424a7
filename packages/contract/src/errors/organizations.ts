import type { ErrorEntry } from './error.ts'

/** Errors of `/api/console/orgs`. */
export const organizationErrors = {
  ORGANIZATION_NOT_FOUND: { status: 404, message: 'Organization not found' },
  ORGANIZATION_FORBIDDEN: {
    status: 403,
    message: 'Only administrators of the organization may do this',
  },
  SLUG_TAKEN: { status: 409, message: 'The slug is taken; choose another one' },
  TOO_MANY_ORGANIZATIONS: { status: 409, message: 'You belong to 50 organizations, which is the limit' },
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
