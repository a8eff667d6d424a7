import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, unwrap, unwrapPage } from './client.ts'
import type { DeveloperApp } from './developer.ts'
import { reload } from './reload.ts'
import type { components } from './schema.d.ts'

/** An app as it was reviewed. */
type ReviewedRevision = Pick<DeveloperApp, 'packageName' | 'revision'>

type Schemas = components['schemas']
export type AdminUser = Schemas['AdminUser']
export type AdminSession = Schemas['AdminSession']
export type AdminNode = Schemas['AdminNode']
export type AdminReport = Schemas['AdminReport']
export type AuditEntry = Schemas['AuditEntry']
export type Finding = Schemas['Finding']
export type NodeSample = Schemas['NodeSample']
export type SystemApp = Schemas['SystemApp']
export type SignUpInvitation = Schemas['SignUpInvitation']

const KEY = 'administration'

/** Interval in ms in which nodes measure. */
const SAMPLE_MS = 60_000

const REPORTS = 50

/** Sessions in a page: more than the stream sends, so that the first page adds some. */
const SESSIONS = 200

/** Interval in ms between readings of the sessions that the stream does not send. */
const SESSIONS_POLL_MS = 10_000

/** Which users are listed. */
export interface UserSearch {
  /** Beginning of the e-mail address. */
  readonly q: string
  readonly suspended: boolean | undefined
}

const paged = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }: { readonly next: string | undefined }) => next,
}

/** Users by e-mail address, page by page. */
export const usersQuery = ({ q, suspended }: UserSearch) =>
  infiniteQueryOptions({
    ...paged,
    queryKey: [KEY, 'users', q, suspended],
    placeholderData: keepPreviousData,
    queryFn: ({ signal, pageParam }) => {
      const query = {
        ...(q !== '' && { q }),
        ...(suspended !== undefined && { suspended }),
        ...(pageParam !== undefined && { cursor: pageParam }),
      }
      return unwrapPage<AdminUser>(api.GET('/api/admin/users', { params: { query }, signal }))
    },
  })

/** The live sessions by user id, page by page. The first of them are also in the stream, which is faster. */
export const sessionsQuery = infiniteQueryOptions({
  ...paged,
  queryKey: [KEY, 'sessions'],
  queryFn: ({ signal, pageParam }) => {
    const query = { limit: SESSIONS, ...(pageParam !== undefined && { cursor: pageParam }) }
    return unwrapPage<AdminSession>(api.GET('/api/admin/sessions', { params: { query }, signal }))
  },
  refetchInterval: SESSIONS_POLL_MS,
})

/** What administrators did, newest first, page by page. */
export const auditQuery = infiniteQueryOptions({
  ...paged,
  queryKey: [KEY, 'audit'],
  queryFn: ({ signal, pageParam }) => {
    const query = pageParam === undefined ? {} : { cursor: pageParam }
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
  `/api/admin/incidents/${incidentId}/attachments/${id}`

/** The findings of the checks of every part. They take seconds, so they are repeated on request only. */
export const checksQuery = queryOptions({
  queryKey: [KEY, 'checks'],
  queryFn: async ({ signal }) => (await unwrap(api.GET('/api/admin/checks', { signal }))).data,
  staleTime: Number.POSITIVE_INFINITY,
})

/** What the nodes measured in the last minutes. */
export const samplesQuery = (minutes: number) =>
  queryOptions({
    queryKey: [KEY, 'metrics', minutes],
    queryFn: async ({ signal }) =>
      (await unwrap(api.GET('/api/admin/metrics', { params: { query: { minutes } }, signal }))).data,
    refetchInterval: SAMPLE_MS,
  })

/** The settings in force, without secrets. */
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

/** All but the checks, which nobody changes here. */
const CHANGEABLE = {
  queryKey: [KEY],
  predicate: ({ queryKey }: { readonly queryKey: readonly unknown[] }) => queryKey[1] !== 'checks',
}

/** What administrators can do; each reloads what it changed. */
export function useAdministration() {
  const queryClient = useQueryClient()
  const reloadAfter = async <Data>(request: Promise<Data>): Promise<Data> => {
    const data = await request
    await reload(queryClient, CHANGEABLE)
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
