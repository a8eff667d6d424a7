import { useQuery } from '@tanstack/react-query'
import { privacyQuery, useSavePrivacy } from '../../api/account.ts'
import { Card } from '../../components/Page.tsx'
import { QueryState } from '../../components/QueryState.tsx'
import { Switch } from '../../components/Switch.tsx'
import { reportFailure, reportSuccess } from '../../components/Toasts.tsx'
import { privacyTexts } from './account.texts.ts'

const SETTINGS = ['shareUsageData', 'receiveNotifications', 'allowDataCollection'] as const

/** What the cloud and apps may do with the user's data. */
export function Privacy() {
  const privacy = useQuery(privacyQuery)
  const save = useSavePrivacy()
  return (
    <Card title={privacyTexts.title}>
      <QueryState query={privacy} skeleton="text">
        {(settings) =>
          SETTINGS.map((name) => (
            <Switch
              key={name}
              isSelected={settings[name]}
              onChange={(value) =>
                save.mutate(
                  { [name]: value },
                  { onSuccess: () => reportSuccess(privacyTexts.saved), onError: reportFailure },
                )
              }
            >
              {privacyTexts.settings[name]}
            </Switch>
          ))
        }
      </QueryState>
    </Card>
  )
}
