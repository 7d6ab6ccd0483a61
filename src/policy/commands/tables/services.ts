import type { Arguments, Family } from './arguments';

const listing = (more = ''): Arguments => ({
  isImplied: true,
  options: `
    -q --quiet: only names
    --no-trunc: whole names
    --format TEXT: what is printed
    * -f --filter TEXT: only what fits
    ${more}
  `,
});

const LOGS = `
  -f --follow: waits for more
  -t --timestamps: with times
  -n+ --tail NUMBER|all: how many lines
  --since TEXT: not older
  --until TEXT: not newer
`;

const containers = listing(
  '-a --all: stopped ones, too\n-n+ --last NUMBER: how many\n-l --latest: the last\n-s --size: sizes',
);
const images = listing('-a --all: all layers\n--digests: with hashes');

/** Not secrets, and not what holds settings. */
const RESOURCES =
  'pods|pod|po|services|service|svc|deployments|deployment|deploy|nodes|node|no|namespaces|namespace|ns|jobs|job|cronjobs|cronjob|cj|ingresses|ingress|ing|events|ev|statefulsets|statefulset|sts|daemonsets|daemonset|ds|replicasets|replicaset|rs|pvc|pv|hpa|endpoints|ep|all';

const KUBECTL = `
  -n --namespace ITEM: in which namespace
  -A --all-namespaces: in all of them
  -l --selector TEXT: only what has such labels
`;

const GH: Arguments = {
  isImplied: true,
  operands: 'NUMBER|ITEMS',
  options: `
    --json ITEMS: as JSON
    -q --jq JQ: which fields
    -c --comments: with comments
    -L --limit NUMBER: how many
    -s --state open|closed|merged|all: in which state
    -a --assignee ITEM: whose
    -A --author ITEM: by whom
    -l --label TEXT: with this label
    -S --search TEXT: what is sought
    -B --base ITEMS: into which branch
    -H --head ITEMS: from which branch
    -d --draft: drafts
  `,
};

const GH_RUNS: Arguments = {
  isImplied: true,
  options: `
    --json ITEMS: as JSON
    -q --jq JQ: which fields
    -L --limit NUMBER: how many
    -w --workflow ITEM: of which workflow
    -b --branch ITEMS: of which branch
    -s --status ITEM: in which state
    -u --user ITEM: by whom
  `,
};

const GH_RUN: Arguments = {
  isImplied: true,
  operands: 'NUMBER',
  options: `
    --json ITEMS: as JSON
    -q --jq JQ: which fields
    -v --verbose: prints more
    -j --job NUMBER: which job
    --log: what it printed
    --log-failed: what failed
    --exit-status: says whether it failed
  `,
};

/** Reading subcommands of programs that talk to a service. */
export const services: Family = {
  'docker ps': containers,
  'docker container ls': containers,
  'docker images': images,
  'docker image ls': images,
  'docker volume ls': listing(),
  'docker network ls': listing(),
  'docker logs': { operands: 'ITEM', options: LOGS },
  'docker top': { operands: 'ITEM' },
  'docker stats': {
    operands: 'ITEM*',
    options: '--no-stream: once\n-a --all: stopped ones, too\n--no-trunc: whole names',
  },
  'docker version': {},
  'docker info': {},
  'docker compose ps': {
    runsFolder: true,
    operands: 'ITEM*',
    options: '-a --all: stopped ones, too\n-q --quiet: only names\n--services: only services',
  },
  'docker compose logs': {
    runsFolder: true,
    operands: 'ITEM*',
    options: `${LOGS}--no-color: no colours\n--no-log-prefix: without names`,
  },
  'docker compose ls': { options: '-a --all: stopped ones, too\n-q --quiet: only names' },
  'kubectl get': {
    operands: `${RESOURCES} ITEMS*`,
    options: `${KUBECTL}
      -o --output wide|name|yaml|json|JSONPATH: how it prints
      -w --watch: waits for changes
      --show-labels: with labels
      --no-headers: without a first line
      --sort-by JSON_FIELD: in which order
      --field-selector TEXT: only what has such fields
    `,
  },
  'kubectl describe': { operands: `${RESOURCES} ITEMS*`, options: KUBECTL },
  'kubectl logs': {
    operands: 'ITEMS ITEM',
    options: `${KUBECTL}
      -f --follow: waits for more
      -c --container ITEM: of which container
      -p --previous: of the one before
      --all-containers: of all containers
      --tail NUMBER: how many lines
      --since NUMBER: not older
      --timestamps: with times
      --prefix: with names
    `,
  },
  'kubectl top': { operands: 'pods|pod|po|nodes|node|no ITEM', options: KUBECTL },
  'kubectl rollout status': { operands: 'ITEMS ITEM', options: `${KUBECTL}--timeout NUMBER: how long` },
  'kubectl rollout history': { operands: 'ITEMS ITEM', options: KUBECTL },
  'kubectl explain': { operands: 'ITEM', options: '--recursive: all fields' },
  'kubectl version': { options: '--client: only of this program' },
  'kubectl cluster-info': {},
  'kubectl api-resources': {},
  'kubectl config view': {},
  'kubectl config current-context': {},
  'kubectl config get-contexts': {},
  'gh pr view': GH,
  'gh pr list': GH,
  'gh pr status': GH,
  'gh pr diff': {
    isImplied: true,
    operands: 'NUMBER|ITEMS',
    options: '--name-only: only names\n--color always|never|auto: colours',
  },
  'gh pr checks': {
    isImplied: true,
    operands: 'NUMBER|ITEMS',
    options:
      '--watch: waits\n--required: only those that are needed\n--json ITEMS: as JSON\n-q --jq JQ: which fields',
  },
  'gh issue view': GH,
  'gh issue list': GH,
  'gh issue status': GH,
  'gh run list': GH_RUNS,
  'gh run view': GH_RUN,
  'gh run watch': {
    isImplied: true,
    operands: 'NUMBER',
    options: '--exit-status: says whether it failed\n-i --interval NUMBER: how often',
  },
  'gh workflow list': {
    isImplied: true,
    options: '-a --all: disabled ones, too\n-L --limit NUMBER: how many',
  },
  'gh release list': { isImplied: true, options: '-L --limit NUMBER: how many' },
  'gh release view': {
    isImplied: true,
    operands: 'ITEMS',
    options: '--json ITEMS: as JSON\n-q --jq JQ: which fields',
  },
  'gh repo view': { isImplied: true, options: '--json ITEMS: as JSON\n-q --jq JQ: which fields' },
};
