import { Type } from 'typebox'
import { none } from '../../http/auth/index.ts'
import { endpoint } from '../../http/endpoint.ts'
import { fault } from '../../http/fault.ts'
import { tags } from './schemas.ts'

/** Returns the page that sets up the cloud. The console removes the code from the address when it has read it. */
export function setUpLink(publicUrl: URL, code: string): string {
  const url = new URL(pageLink(publicUrl, '/'))
  url.searchParams.set('setup', code)
  return url.href
}

/** Returns the page where an invited person creates an account. */
export function signUpLink(publicUrl: URL, invitation: string, email: string | undefined): string {
  return pageLink(publicUrl, '/sign-up', { invitation, ...(email === undefined ? {} : { email }) })
}

/**
 * Returns the URL of a page below the public URL. Parameters are in the fragment, which browsers send to no server, so
 * that no log contains them.
 */
export function pageLink(
  publicUrl: URL,
  path: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const url = new URL(`${publicUrl.pathname.replace(/\/+$/, '')}${path}`, publicUrl)
  const fragment = new URLSearchParams(parameters).toString()
  url.hash = fragment === '' ? url.hash : fragment
  return url.href
}

/** Pages of the console by the name they had below `/auth/`. */
const PAGES: Readonly<Record<string, string>> = {
  'sign-in': '/sign-in',
  'sign-up': '/sign-up',
  'reset-password': '/reset-password',
  'verify-email': '/verify-email',
  device: '/device',
  passkeys: '/account/security',
}

/**
 * Redirects the addresses that messages and bookmarks of earlier versions contain. Browsers keep the fragment, and with it
 * the token of a link.
 */
export const redirectOldPages = () =>
  endpoint({
    method: 'GET',
    url: '/auth/:page',
    summary: 'Former address of a page to sign in; redirects to the page of the console',
    tags,
    style: 'bare',
    auth: none,
    schema: {
      params: Type.Object({ page: Type.String({ maxLength: 100 }) }),
      response: { 302: Type.Null({ description: 'To the page of the console' }) },
    },
    errors: ['NOT_FOUND'],
    handler: async ({ params, reply }) => {
      const page = Object.hasOwn(PAGES, params.page) ? PAGES[params.page] : undefined
      if (page === undefined) throw fault('NOT_FOUND')
      return reply.redirect(page, 302)
    },
  })
