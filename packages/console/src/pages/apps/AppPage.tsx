import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { appQuery, appsQuery, installedQuery } from '../../api/apps.ts'
import { PageState } from '../../components/PageState.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { AppDetails } from './AppDetails.tsx'

/** The page of an app. */
export function AppPage() {
  const { packageName } = useParams({ from: '/signed-in/store/$packageName' })
  const details = useQuery(appQuery(packageName))
  const installed = useQuery(installedQuery)
  // The list knows whether the app runs and fits the glasses.
  const { data: apps } = useQuery(appsQuery)
  const listed = apps?.find((app) => app.packageName === packageName)
  return (
    <PageState query={details} breadcrumb={[{ label: 'Apps', to: '/store' }]}>
      {(app) =>
        installed.isPending ? (
          <Skeleton shape="page" />
        ) : (
          <AppDetails
            key={packageName}
            app={{ ...app, is_running: listed?.is_running ?? false }}
            listed={listed}
            isInstalled={installed.data?.has(packageName) ?? false}
          />
        )
      }
    </PageState>
  )
}
