import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type AdminUser, usersQuery } from '../../api/administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Card } from '../../components/Page.tsx'
import { Pager, usePager } from '../../components/Pager.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState, QueryState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { SearchField } from '../../components/TextField.tsx'
import { formatTime } from '../../format.ts'
import { useUrlChoice, useUrlText } from '../../url-state.ts'
import styles from './administration.module.css'
import { UserActions } from './UserActions.tsx'

const FILTERS = [
  { value: 'all', label: 'All users' },
  { value: 'active', label: 'Users with access' },
  { value: 'suspended', label: 'Suspended users' },
] as const
type Filter = (typeof FILTERS)[number]['value']

/** The value of `suspended` for each filter. */
const SUSPENDED: Record<Filter, boolean | undefined> = { all: undefined, active: false, suspended: true }

/** All users: find one, suspend or delete it, and make administrators. */
export function UsersPage() {
  const { user: self } = useRouteContext({ from: '/signed-in' })
  const [search, setSearch] = useUrlText('q')
  const [filter, setFilter] = useUrlChoice('show', ['all', 'active', 'suspended'])
  const q = search.trim()
  const pager = usePager(`${filter} ${q}`)
  const users = useQuery(usersQuery({ q, suspended: SUSPENDED[filter], cursor: pager.cursor }))
  const columns: readonly Column<AdminUser>[] = [
    {
      id: 'user',
      label: 'User',
      render: ({ email, name }) => (
        <div className={styles.stack}>
          <span>{email}</span>
          {name !== '' && <span className="muted">{name}</span>}
        </div>
      ),
    },
    {
      id: 'state',
      label: 'State',
      render: (user) => <UserState user={user} isSelf={user.id === self.id} />,
    },
    {
      id: 'since',
      label: 'Since',
      render: ({ createdAt }) => <time dateTime={createdAt}>{formatTime(createdAt)}</time>,
    },
    {
      id: 'actions',
      label: 'Actions',
      isLabelHidden: true,
      render: (user) => (user.id === self.id ? null : <UserActions user={user} />),
    },
  ]
  return (
    <Card title="Users">
      <div className={styles.controls}>
        <SearchField label="Beginning of the e-mail address" value={search} onChange={setSearch} />
        <div className={styles.filter}>
          <Select label="Show" options={FILTERS} value={filter} onChange={setFilter} />
        </div>
      </div>
      <QueryState query={users} skeleton="rows">
        {({ items, next }) => (
          <>
            {items.length === 0 ? (
              <EmptyState title="No user found">
                <p>Check the beginning of the address, or show all users.</p>
              </EmptyState>
            ) : (
              <Table label="Users" rows={items} keyOf={({ id }) => id} columns={columns} />
            )}
            <Pager pager={pager} next={next} isLoading={users.isPlaceholderData} />
          </>
        )}
      </QueryState>
    </Card>
  )
}

function UserState({ user, isSelf }: { readonly user: AdminUser; readonly isSelf: boolean }) {
  const { isAdministrator, suspendedAt } = user
  return (
    <div className={styles.badges}>
      {isSelf && <Badge>You</Badge>}
      {isAdministrator && <Badge tone="success">Administrator</Badge>}
      {suspendedAt === undefined ? (
        !isSelf && !isAdministrator && <span className="muted">Has access</span>
      ) : (
        <Badge tone="danger">Suspended since {formatTime(suspendedAt)}</Badge>
      )}
    </div>
  )
}
