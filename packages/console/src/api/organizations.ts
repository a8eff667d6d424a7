import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from './client.ts'
import { reload } from './query-client.ts'
import type { components } from './schema.d.ts'

export type Organization = components['schemas']['Organization']
export type HandedInvitation = components['schemas']['HandedInvitation']
export type OrganizationRole = components['schemas']['OrganizationRole']

/** The organizations of the user. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/console/orgs', { signal }))).data,
})

/** An organization with its members. @param org id or slug */
export const organizationQuery = (org: string) =>
  queryOptions({
    queryKey: ['organizations', org],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/api/console/orgs/{org}', { params: { path: { org } }, signal }))).data,
  })

/** What a user can do with organizations; each reloads what it changed. */
export function useOrganizationChanges() {
  const queryClient = useQueryClient()
  const reloadAfter = async <Data>(request: Promise<Data>): Promise<Data> => {
    const data = await request
    // The names of organizations are part of their apps.
    await reload(queryClient, organizationsQuery, { queryKey: ['developer'] })
    return data
  }
  /** Leaves the page of an organization that the user no longer has, and could not be loaded any longer. */
  const forget = async (org: string, leavePage: () => Promise<void>) => {
    await leavePage()
    queryClient.removeQueries({ queryKey: organizationQuery(org).queryKey })
    await reloadAfter(Promise.resolve())
  }
  return {
    create: (name: string) => reloadAfter(unwrap(api.POST('/api/console/orgs', { body: { name } }))),
    rename: (org: string, name: string) =>
      reloadAfter(
        unwrap(api.PATCH('/api/console/orgs/{org}', { params: { path: { org } }, body: { name } })),
      ),
    remove: async (org: string, leavePage: () => Promise<void>) => {
      await unwrap(api.DELETE('/api/console/orgs/{org}', { params: { path: { org } } }))
      await forget(org, leavePage)
    },
    invite: (org: string, body: { email: string; role: OrganizationRole }) =>
      reloadAfter(unwrap(api.POST('/api/console/orgs/{org}/members', { params: { path: { org } }, body }))),
    resend: (org: string, invitation: string) =>
      reloadAfter(
        unwrap(
          api.POST('/api/console/orgs/{org}/invitations/{invitation}/resend', {
            params: { path: { org, invitation } },
          }),
        ),
      ),
    rescind: (org: string, invitation: string) =>
      reloadAfter(
        unwrap(
          api.DELETE('/api/console/orgs/{org}/invitations/{invitation}', {
            params: { path: { org, invitation } },
          }),
        ),
      ),
    setRole: (org: string, userId: string, role: OrganizationRole) =>
      reloadAfter(
        unwrap(
          api.PATCH('/api/console/orgs/{org}/members/{userId}', {
            params: { path: { org, userId } },
            body: { role },
          }),
        ),
      ),
    removeMember: (org: string, userId: string) =>
      reloadAfter(
        unwrap(api.DELETE('/api/console/orgs/{org}/members/{userId}', { params: { path: { org, userId } } })),
      ),
    /** Ends the membership of the user, who then no longer sees the organization. */
    leave: async (org: string, userId: string, leavePage: () => Promise<void>) => {
      await unwrap(
        api.DELETE('/api/console/orgs/{org}/members/{userId}', { params: { path: { org, userId } } }),
      )
      await forget(org, leavePage)
    },
    accept: async (token: string) =>
      (
        await reloadAfter(
          unwrap(api.POST('/api/console/orgs/accept/{token}', { params: { path: { token } } })),
        )
      ).data,
  }
}
