import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { Notice } from '../../components/Notice.tsx'
import { Page } from '../../components/Page.tsx'
import { ChooseGlasses } from './ChooseGlasses.tsx'
import { Diagnostics } from './Diagnostics.tsx'
import { myGlassesTexts as texts } from './my-glasses.texts.ts'
import { useRealGlasses } from './use-real-glasses.ts'
import { WornGlasses } from './WornGlasses.tsx'

/** Real glasses that the signed-in user wears, with this browser as their phone. */
export function MyGlassesPage() {
  const { glasses, state } = useRealGlasses()
  const { connection, problem, wasReplaced } = state
  const isOff = connection === 'disconnected'
  return (
    <Page
      title={texts.title}
      breadcrumb={[{ to: '/glasses', label: texts.glasses }]}
      badges={
        <>
          <span role="status">
            <Badge tone={connection === 'connected' ? 'success' : 'neutral'}>
              {texts.connection[connection]}
            </Badge>
          </span>
          <Badge tone="warning">{texts.experimental}</Badge>
        </>
      }
      description={texts.description}
      actions={!isOff && <Button onPress={() => glasses.takeOff()}>{texts.takeOff}</Button>}
    >
      {wasReplaced && (
        <Notice tone="warning" title={texts.wasReplaced.title}>
          {texts.wasReplaced.text}
        </Notice>
      )}
      {problem !== undefined && <Notice tone="danger" title={problem} />}
      {isOff ? (
        <ChooseGlasses glasses={glasses} state={state} />
      ) : (
        <WornGlasses glasses={glasses} state={state} />
      )}
      <Diagnostics glasses={glasses} chosen={state.chosen} />
    </Page>
  )
}
