import { useInfiniteQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type AdminUser, usersQuery } from '../../api/administration.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Select } from '../../components/Select.tsx'
import { EmptyState } from '../../components/States.tsx'
import { type Column, Table } from '../../components/Table.tsx'
import { formatTime } from '../../format.ts'
import { useUrlChoice, useUrlText } from '../../url-state.ts'
import { UserActions } from './UserActions.tsx'
import styles from './UsersPage.module.css'

const texts = {
  filters: { all: 'All users', active: 'Users with access', suspended: 'Suspended users' },
} as const

type Filter = keyof typeof texts.filters
const FILTERS = Object.entries(texts.filters).map(([value, label]) => ({ value: value as Filter, label }))

/** The value of `suspended` for each filter. */
const SUSPENDED: Record<Filter, boolean | undefined> = { all: undefined, active: false, suspended: true }

/** All users: find one, suspend or delete it, and make administrators. */
export function UsersPage() {
  const { user: self } = useRouteContext({ from: '/signed-in' })
  const [q, setQ] = useUrlText('q')
  const [filter, setFilter] = useUrlChoice('show', ['all', 'active', 'suspended'])
  const users = useInfiniteQuery(usersQuery({ q: q.trim(), suspended: SUSPENDED[filter] }))
  const columns: readonly Column<AdminUser>[] = [
    {
      id: 'user',
      label: 'User',
      render: ({ email, name }) => (
        <div className={styles.user}>
          {email}
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
        <SearchField label="Beginning of the e-mail address" value={q} onChange={setQ} />
        <Select label="Show" options={FILTERS} value={filter} onChange={setFilter} />
      </div>
      <QueryState query={users}>
        {({ pages }) => {
          const rows = pages.flatMap(({ items }) => items)
          return rows.length === 0 ? (
            <EmptyState title="No user found">
              <p>Check the beginning of the address, or show all users.</p>
            </EmptyState>
          ) : (
            <Table label="Users" rows={rows} keyOf={({ id }) => id} columns={columns} />
          )
        }}
      </QueryState>
      {users.hasNextPage && (
        <div>
          <Button isPending={users.isFetchingNextPage} onPress={() => void users.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  )
}

function UserState({ user, isSelf }: { readonly user: AdminUser; readonly isSelf: boolean }) {
  return (
    <div className={styles.badges}>
      {isSelf && <Badge>You</Badge>}
      {user.isAdministrator && <Badge tone="success">Administrator</Badge>}
      {user.suspendedAt !== undefined && (
        <Badge tone="danger">{`Suspended since ${formatTime(user.suspendedAt)}`}</Badge>
      )}
    </div>
  )
}
