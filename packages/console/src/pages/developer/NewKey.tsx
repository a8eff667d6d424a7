import { useQuery } from '@tanstack/react-query'
import { newKeyQuery, useKeyChanges } from '../../api/developer.ts'
import { Button } from '../../components/Button.tsx'
import { CopyField } from '../../components/CopyField.tsx'
import { Card } from '../../components/Page.tsx'
import { useDeveloperApp } from './developer-app.ts'
import { keysTexts } from './keys.texts.ts'

const { fresh: texts } = keysTexts

/** The API key that was just made. It is shown until it is put away, or the page is closed: nobody can see it again. */
export function NewKey() {
  const { packageName } = useDeveloperApp()
  const { data: apiKey } = useQuery(newKeyQuery(packageName))
  const { forget } = useKeyChanges(packageName)
  if (!apiKey) return null
  return (
    <Card title={texts.title} description={texts.description}>
      <CopyField label={texts.label} value={apiKey} />
      <div>
        <Button onPress={forget}>{texts.done}</Button>
      </div>
    </Card>
  )
}
