import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { createRootRoute, createRoute, createRouter, Outlet, RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'

// The baseline of the benchmark `console`: a page with the same framework that lists the same data and does nothing else.

interface App {
  readonly packageName: string
  readonly name: string
  readonly description: string
}

function Apps() {
  const { data } = useQuery({
    queryKey: ['apps'],
    queryFn: async (): Promise<{ data: readonly App[] }> => (await fetch('/api/apps')).json(),
  })
  return (
    <main>
      <h1>Apps</h1>
      {data?.data.map(({ packageName, name, description }) => (
        <article key={packageName}>
          <h2>{name}</h2>
          <p>{description}</p>
        </article>
      ))}
    </main>
  )
}

const root = createRootRoute({ component: Outlet })
const store = createRoute({ getParentRoute: () => root, path: '/store', component: Apps })
const router = createRouter({ routeTree: root.addChildren([store]) })
const container = document.getElementById('root')
if (container === null) throw new Error('index.html has no element with the id "root"')
createRoot(container).render(
  <QueryClientProvider client={new QueryClient()}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
