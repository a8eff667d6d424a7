import { useQuery } from '@tanstack/react-query'
import { accountQuery, useSaveProfile } from '../../api/account.ts'
import { ActionForm } from '../../components/ActionForm.tsx'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/States.tsx'
import { TextField } from '../../components/TextField.tsx'

/** Name and contact of the user. */
export function Profile() {
  const user = useQuery(accountQuery)
  const save = useSaveProfile()
  return (
    <Card title="Profile">
      <QueryState query={user} skeleton="form">
        {({ name, email, profile }) => (
          <>
            <p className="muted">{email}</p>
            <ActionForm
              submitLabel="Save"
              success="Profile saved"
              onSubmit={(fields) => save(Object.fromEntries(fields))}
            >
              <TextField name="name" label="Name" defaultValue={name} autoComplete="name" maxLength={1000} />
              <TextField
                name="displayName"
                label="Display name"
                defaultValue={profile.displayName}
                maxLength={1000}
              />
              <TextField
                name="phoneNumber"
                type="tel"
                label="Phone number"
                defaultValue={profile.phoneNumber}
                autoComplete="tel"
                maxLength={1000}
              />
            </ActionForm>
          </>
        )}
      </QueryState>
    </Card>
  )
}
