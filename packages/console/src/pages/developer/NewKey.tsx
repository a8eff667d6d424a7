import { useQuery } from '@tanstack/react-query'
import { newKeyQuery, useKeyChanges } from '../../api/developer.ts'
import { Button } from '../../components/Button.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { Card } from '../../components/Page.tsx'
import { useDeveloperApp } from './developer-app.ts'

/** The API key that was just made. It is shown until it is put away, or the page is closed: nobody can see it again. */
export function NewKey() {
  const { packageName } = useDeveloperApp()
  const { data: apiKey } = useQuery(newKeyQuery(packageName))
  const { forget } = useKeyChanges(packageName)
  if (!apiKey) return null
  return (
    <Card title="Your new API key" description="Copy it now: it is shown only once.">
      <CopyField label="API key" value={apiKey} />
      <div>
        <Button onPress={forget}>I have stored it</Button>
      </div>
    </Card>
  )
}
