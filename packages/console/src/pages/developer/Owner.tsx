import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAppChanges } from '../../api/developer.ts'
import { organizationsQuery } from '../../api/organizations.ts'
import { ConfirmButton } from '../../components/ConfirmButton.tsx'
import { LinkButton } from '../../components/LinkButton.tsx'
import { Card } from '../../components/Page.tsx'
import { Select } from '../../components/Select.tsx'
import styles from './developer.module.css'
import { useDeveloperApp } from './developer-app.ts'
import { overviewTexts } from './overview.texts.ts'

const { owner: texts } = overviewTexts

/** Moves the app between the user and the organizations of the user. */
export function Owner() {
  const { packageName, name, orgId = '', orgName } = useDeveloperApp()
  const { move } = useAppChanges(packageName)
  const { data: organizations = [] } = useQuery(organizationsQuery)
  const [chosen, setChosen] = useState<string>()
  const options = [
    { value: '', label: texts.you },
    ...organizations.map((organization) => ({ value: organization.id, label: organization.name })),
  ]
  const target = chosen ?? orgId
  const targetName = options.find(({ value }) => value === target)?.label ?? ''
  return (
    <Card title={texts.title} description={texts.is(orgName ?? texts.you)}>
      {organizations.length === 0 ? (
        <div>
          <LinkButton to="/organizations">{texts.none}</LinkButton>
        </div>
      ) : (
        <div className={styles.row}>
          <Select label={texts.label} options={options} value={target} onChange={setChosen} />
          <ConfirmButton
            variant="secondary"
            isDisabled={target === orgId}
            title={texts.question(name, targetName)}
            description={<p>{target === '' ? texts.toYou : texts.toOrganization(targetName)}</p>}
            confirmLabel={texts.move}
            success={texts.moved(name, targetName)}
            onConfirm={async () => {
              await move(target === '' ? null : target)
              setChosen(undefined)
            }}
          >
            {texts.move}
          </ConfirmButton>
        </div>
      )}
    </Card>
  )
}
