import { useQuery } from '@tanstack/react-query'
import { privacyQuery, useSavePrivacy } from '../../api/account.ts'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { Switch } from '../../components/Switch.tsx'
import { reportFailure, reportSuccess } from '../../components/Toasts.tsx'
import { account } from '../../texts/account.ts'

const texts = account.privacy
const SETTINGS = ['shareUsageData', 'receiveNotifications', 'allowDataCollection'] as const

/** What the cloud and apps may do with the user's data. */
export function Privacy() {
  const privacy = useQuery(privacyQuery)
  const save = useSavePrivacy()
  return (
    <Card title={texts.title}>
      <QueryState query={privacy}>
        {(settings) =>
          SETTINGS.map((name) => (
            <Switch
              key={name}
              isSelected={settings[name]}
              onChange={(value) =>
                save.mutate(
                  { [name]: value },
                  { onSuccess: () => reportSuccess(texts.saved), onError: reportFailure },
                )
              }
            >
              {texts[name]}
            </Switch>
          ))
        }
      </QueryState>
    </Card>
  )
}
