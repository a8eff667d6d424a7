import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAppChanges } from '../../api/developer.ts'
import { organizationsQuery } from '../../api/organizations.ts'
import { LinkButton } from '../../components/Button.tsx'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import styles from './developer.module.css'
import { useDeveloperApp } from './developer-app.ts'

/** Moves the app between the user and the organizations of the user. */
export function Owner() {
  const { packageName, name, orgId = '', orgName } = useDeveloperApp()
  const { move } = useAppChanges(packageName)
  const { data: organizations = [] } = useQuery(organizationsQuery)
  const [chosen, setChosen] = useState<string>()
  const options = [
    { value: '', label: 'You' },
    ...organizations.map((organization) => ({ value: organization.id, label: organization.name })),
  ]
  const target = chosen ?? orgId
  const targetName = options.find(({ value }) => value === target)?.label ?? ''
  return (
    <Card title="Owner" description={`Owner: ${orgName ?? 'You'}`}>
      {organizations.length === 0 ? (
        <div>
          <LinkButton to="/organizations">Make an organization to share the app</LinkButton>
        </div>
      ) : (
        <div className={styles.row}>
          <Select label="New owner" options={options} value={target} onChange={setChosen} />
          <ConfirmButton
            variant="secondary"
            isDisabled={target === orgId}
            title={`Move ${name} to ${targetName}?`}
            description={
              <p>
                {target === ''
                  ? 'The members of the organization lose their access to it.'
                  : `All members of ${targetName} can change and publish it, and only its administrators can move or delete it.`}
              </p>
            }
            confirmLabel="Move"
            success={`${name} belongs to ${targetName}`}
            onConfirm={async () => {
              await move(target === '' ? null : target)
              setChosen(undefined)
            }}
          >
            Move
          </ConfirmButton>
        </div>
      )}
    </Card>
  )
}
