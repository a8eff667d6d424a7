import type { AuditAction } from '@glasses-cloud/contract'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { BASE_PATH } from '../base-path.ts'
import { api, unwrap, unwrapPage } from './client.ts'
import type { DeveloperApp } from './developer.ts'
import { reload } from './query-client.ts'
import type { components } from './schema.d.ts'

/** An app as it was reviewed. */
type ReviewedRevision = Pick<DeveloperApp, 'packageName' | 'revision'>

type Schemas = components['schemas']
export type AdminUser = Schemas['AdminUser']
export type AdminSession = Schemas['AdminSession']
export type AdminNode = Schemas['AdminNode']
export type AdminSetting = Schemas['AdminSetting']
export type AdminReport = Schemas['AdminReport']
export type AuditEntry = Schemas['AuditEntry']
export type Finding = Schemas['Finding']
export type NodeEvent = Schemas['NodeEvent']
export type NodeSample = Schemas['NodeSample']
export type SystemApp = Schemas['SystemApp']
export type SignUpInvitation = Schemas['SignUpInvitation']

const KEY = 'administration'

/** Interval in ms in which nodes measure. */
const SAMPLE_MS = 60_000

/** Reports and incidents that are read. */
export const REPORTS = 50

/** Rows of a page of a table. */
export const PAGE_SIZE = 50

/** Interval in ms between readings of the sessions that the stream does not send. */
const SESSIONS_POLL_MS = 5_000

/** A page of a list: the first one without a cursor. */
interface Paged {
  readonly cursor: string | undefined
}

const pageOf = ({ cursor }: Paged) => ({ limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) })

/** Which users are listed. */
export interface UserSearch extends Paged {
  /** Beginning of the e-mail address. */
  readonly q: string
  readonly suspended: boolean | undefined
}

/** A page of the users by e-mail address. */
export const usersQuery = ({ q, suspended, cursor }: UserSearch) =>
  queryOptions({
    queryKey: [KEY, 'users', q, suspended, cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = {
        ...pageOf({ cursor }),
        ...(q !== '' && { q }),
        ...(suspended !== undefined && { suspended }),
      }
      return unwrapPage<AdminUser>(api.GET('/api/admin/users', { params: { query }, signal }))
    },
  })

/** Which live sessions are listed. */
export interface SessionSearch extends Paged {
  /** Part of the e-mail address, the glasses, the node or a running app. */
  readonly q: string
}

/** A page of the live sessions by user id. The first page without a search is in the stream, which is faster. */
export const sessionsQuery = ({ q, cursor }: SessionSearch) =>
  queryOptions({
    queryKey: [KEY, 'sessions', q, cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { ...pageOf({ cursor }), ...(q !== '' && { q }) }
      return unwrapPage<AdminSession>(api.GET('/api/admin/sessions', { params: { query }, signal }))
    },
    refetchInterval: SESSIONS_POLL_MS,
  })

/** Which acts of administrators are listed. */
export interface AuditSearch extends Paged {
  readonly action: AuditAction | undefined
}

/** A page of what administrators did, newest first. */
export const auditQuery = ({ action, cursor }: AuditSearch) =>
  queryOptions({
    queryKey: [KEY, 'audit', action, cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { ...pageOf({ cursor }), ...(action !== undefined && { action }) }
      return unwrapPage<AuditEntry>(api.GET('/api/admin/audit', { params: { query }, signal }))
    },
  })

/** Apps in review. */
export const reviewQuery = queryOptions({
  queryKey: [KEY, 'review'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/admin/apps', { signal }))).data,
})

/** Feedback and errors of phones, newest first. */
export const reportsQuery = queryOptions({
  queryKey: [KEY, 'reports'],
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET('/api/admin/reports', { params: { query: { limit: REPORTS } }, signal }))).data,
})

/** Incidents with logs and the names of files, newest first. */
export const incidentsQuery = queryOptions({
  queryKey: [KEY, 'incidents'],
  queryFn: async ({ signal }) =>
    (await unwrap(api.GET('/api/admin/incidents', { params: { query: { limit: REPORTS } }, signal }))).data,
})

/** A file of an incident. */
export interface IncidentFile {
  readonly id: string
  readonly filename: string
}

/** Returns the files of a report, which are part of the content of an incident. */
export function filesOf({ kind, content }: AdminReport): readonly IncidentFile[] {
  return kind === 'incident' ? (content as { readonly files: readonly IncidentFile[] }).files : []
}

/** Address of a file of an incident. */
export const incidentFileUrl = (incidentId: string, { id }: IncidentFile): string =>
  `${BASE_PATH}/api/admin/incidents/${incidentId}/attachments/${id}`

/** The findings of the checks of every part. They take seconds, so they are repeated on request only. */
export const checksQuery = queryOptions({
  queryKey: [KEY, 'checks'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/admin/checks', { signal }))).data,
  staleTime: 'static',
})

/** What the nodes measured in the last minutes. */
export const samplesQuery = (minutes: number) =>
  queryOptions({
    queryKey: [KEY, 'metrics', minutes],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/api/admin/metrics', { params: { query: { minutes } }, signal }))).data,
    refetchInterval: SAMPLE_MS,
  })

/** What happened to the nodes in the last minutes, newest first. */
export const nodeEventsQuery = (minutes: number) =>
  queryOptions({
    queryKey: [KEY, 'events', minutes],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/api/admin/events', { params: { query: { minutes } }, signal }))).data,
    refetchInterval: SAMPLE_MS,
  })

/** Every setting by its environment name, without secrets. */
export const settingsQuery = queryOptions({
  queryKey: [KEY, 'settings'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/admin/settings', { signal }))).data,
})

export const systemAppsQuery = queryOptions({
  queryKey: [KEY, 'system-apps'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/admin/system-apps', { signal }))).data,
})

/** Invitations to sign up that nobody used yet. */
export const signUpInvitationsQuery = queryOptions({
  queryKey: [KEY, 'invitations'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/auth/invitations', { signal }))).invitations,
})

/** What administrators can do; each reloads what it changed. */
export function useAdministration() {
  const queryClient = useQueryClient()
  const reloadAfter = async <Data>(request: Promise<Data>): Promise<Data> => {
    const data = await request
    await reload(queryClient, { queryKey: [KEY] })
    return data
  }
  const userPath = (userId: string) => ({ params: { path: { userId } } })
  const appPath = (packageName: string) => ({ params: { path: { packageName } } })
  return {
    suspend: (userId: string, reason: string) =>
      reloadAfter(
        unwrap(
          api.POST('/api/admin/users/{userId}/suspend', {
            ...userPath(userId),
            body: reason === '' ? {} : { reason },
          }),
        ),
      ),
    reinstate: (userId: string) =>
      reloadAfter(unwrap(api.POST('/api/admin/users/{userId}/reinstate', userPath(userId)))),
    setAdministrator: (userId: string, isAdministrator: boolean) =>
      reloadAfter(
        unwrap(
          api.PUT('/api/admin/users/{userId}/administrator', {
            ...userPath(userId),
            body: { isAdministrator },
          }),
        ),
      ),
    deleteUser: (userId: string) =>
      reloadAfter(unwrap(api.DELETE('/api/admin/users/{userId}', userPath(userId)))),
    approve: ({ packageName, revision }: ReviewedRevision, notes: string) =>
      reloadAfter(
        unwrap(
          api.POST('/api/admin/apps/{packageName}/approve', {
            ...appPath(packageName),
            body: { revision, ...(notes === '' ? {} : { notes }) },
          }),
        ),
      ),
    reject: ({ packageName, revision }: ReviewedRevision, notes: string) =>
      reloadAfter(
        unwrap(
          api.POST('/api/admin/apps/{packageName}/reject', {
            ...appPath(packageName),
            body: { revision, notes },
          }),
        ),
      ),
    endSession: (userId: string) =>
      reloadAfter(unwrap(api.DELETE('/api/admin/sessions/{userId}', userPath(userId)))),
    invite: (email: string) =>
      reloadAfter(unwrap(api.POST('/api/auth/invitations', { body: email === '' ? {} : { email } }))),
    withdrawInvitation: (id: string) =>
      reloadAfter(unwrap(api.DELETE('/api/auth/invitations/{id}', { params: { path: { id } } }))),
  }
}
