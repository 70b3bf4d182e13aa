import { createHash } from 'node:crypto'

// The layout of a company that is too large for one machine, on several PostgreSQL servers;
// docs/growing.md explains it. Every node runs the same migrations, then these statements.

/** One PostgreSQL server of the layout, with its owner's address. */
export type NodeAddress = { name: string; ownerUrl: string }

/** The number of parts of the directory. It is fixed; parts are only moved between nodes. */
export const buckets = 256

/** The directory part of a key. It depends only on the key, so every node can calculate it. */
export function bucketOf(companyId: string, kind: string, value: string): number {
  return createHash('sha256').update(`${companyId} ${kind} ${value}`).digest()[0] ?? 0
}

/** The index of the node, among `count`, that holds a directory part. */
export function holderOf(bucket: number, count: number): number {
  return Math.floor((bucket * count) / buckets)
}

/**
 * Where each table's rows are stored. `copied`: written on the desk, copied to every node; `desk`:
 * only on the desk; `home`: on the member's node, or, for rows without a member, on the node that
 * wrote them.
 */
export const placement: Readonly<Record<string, 'copied' | 'desk' | 'home'>> = {
  ...placed(
    'copied',
    'company company_address store staff_group staff session session_epoch tier api_key webhook',
  ),
  ...placed('copied', 'gift coupon_definition point_month'),
  ...placed('desk', 'login_throttle login_address login_device access_link'),
  ...placed('desk', 'search_history_key company_revision point_month_figures'),
  ...placed('home', 'member member_key member_tier member_origin consent qualifying_spend'),
  ...placed('home', 'point_account point_entry point_lot point_burn'),
  ...placed('home', 'point_promotion point_forgiven point_return'),
  ...placed('home', 'point_operation gift_redemption coupon coupon_redemption'),
  ...placed('home', 'paid_sale sale_redemption member_merge member_merge_row'),
  ...placed('home', 'transaction transaction_item transaction_coupon transaction_return'),
  ...placed('home', 'operation audit given_today'),
  ...placed('home', 'delivery event event_position outbox outbox_member'),
  // Each node folds the names of its own members.
  ...placed('home', 'member_name_key member_name_walk'),
  // Notes belong to a store and its staff.
  ...placed('desk', 'shift_note shift_note_reader'),
  // Each node sends the events of its own coupons.
  ...placed('home', 'coupon_expiry_walk'),
  // Each node makes its own reports.
  ...placed('home', 'point_report'),
  // Each node promotes its own members.
  ...placed('home', 'tier_promotion'),
  // Verification rows are on the node where the contact's member would be; jobs and imports on the
  // node that runs them.
  ...placed(
    'home',
    'contact_code contact_proof code_allowance message job import_row import_invoice',
  ),
}

function placed<P extends string>(place: P, names: string): Record<string, P> {
  return Object.fromEntries(names.split(' ').map((name) => [name, place]))
}

// Each node counts its own stock, so the issued count is not copied.
const columns: Readonly<Record<string, string>> = {
  gift: '(company_id, gift_id, names, descriptions, points, stock, per_member_limit, stopped)',
  coupon_definition: `(company_id, coupon_id, names, descriptions, kind, value, union_code,
     start_date, end_date, valid_days, starts_after, stock, per_member_limit, points_cost,
     issue_stores, redeem_stores, stopped, withdrawn_at, version)`,
}

/** The tables that the desk publishes. */
export const publication = `create publication small for table ${Object.keys(placement)
  .filter((name) => placement[name] === 'copied')
  .map((name) => `${name} ${columns[name] ?? ''}`)
  .join(', ')}`

/** A node's subscription to the desk's publication. */
export function subscription(name: string, deskUrl: string): string {
  const { hostname, port, username, password, pathname } = new URL(deskUrl)
  const from = `host=${hostname} port=${port} user=${username} password=${password}`
  return `create subscription small_${name} connection '${from} dbname=${pathname.slice(1)}'
    publication small`
}

/**
 * A session must be valid on every node when the login is answered: commits on the desk wait until
 * every node has applied them. Commits on the other nodes do not wait.
 */
export function synchronous(names: readonly string[]): string[] {
  const all = names.map((name) => `small_${name}`).join(', ')
  return [
    `alter system set synchronous_standby_names = 'FIRST ${names.length} (${all})'`,
    'select pg_reload_conf()',
    `alter role tillside_app set synchronous_commit = 'remote_apply'`,
  ]
}

/**
 * Divides the stock of each gift and coupon among the nodes; the shares add up to the whole stock.
 */
export function shares(index: number, count: number): string {
  return `create function share_of_stock() returns trigger language plpgsql as $$
    begin
      new.stock := greatest(
        new.stock / ${count} + case when ${index} < new.stock % ${count} then 1 else 0 end,
        coalesce(new.issued, 0));
      return new;
    end $$;
    create trigger share before insert or update on gift
      for each row when (new.stock is not null) execute function share_of_stock();
    create trigger share before insert or update on coupon_definition
      for each row when (new.stock is not null) execute function share_of_stock();
    alter table gift enable replica trigger share;
    alter table coupon_definition enable replica trigger share;`
}

/**
 * The directory stores the node of each member key and makes the key unique among all nodes. Its
 * parts are partitions: a node's own part is a table, the others are foreign tables.
 */
export function directory(seats: readonly NodeAddress[], own: number): string {
  return `create extension postgres_fdw;
    create table directory (
      company_id uuid not null,
      kind text not null,
      value text not null,
      bucket int not null,
      home text not null,
      entered_at timestamptz not null
    ) partition by range (bucket);
    call protect('directory', 'select');
    ${seats.map((seat, index) => part(seat, index, seats.length, index === own)).join('\n')}
    ${entering(seats[own]?.name ?? '')}`
}

function part({ name, ownerUrl }: NodeAddress, index: number, count: number, own: boolean): string {
  const from = Math.ceil((index * buckets) / count)
  const to = Math.ceil(((index + 1) * buckets) / count)
  const range = `for values from (${from}) to (${to})`
  if (own) {
    return `create table directory_${name} partition of directory
      (primary key (company_id, kind, value)) ${range};`
  }
  const { hostname, port, username, password, pathname } = new URL(ownerUrl)
  const at = `host '${hostname}', port '${port}', dbname '${pathname.slice(1)}'`
  return `create server node_${name} foreign data wrapper postgres_fdw
      options (${at}, options '-c lock_timeout=4000');
    create user mapping for current_user server node_${name}
      options (user '${username}', password '${password}');
    create foreign table directory_${name} partition of directory ${range}
      server node_${name} options (table_name 'directory_${name}');`
}

/**
 * Skips a key that another node has, as `on conflict do nothing` does for this node's keys, so the
 * program's own statement covers both. An entry of this node without its row was left by a machine
 * that failed between the two commits; the next insert of that key takes it over.
 */
function entering(name: string): string {
  return `create function bucket_of(company_id uuid, kind text, value text) returns int
      language sql immutable parallel safe return
      get_byte(sha256(convert_to(company_id::text || ' ' || kind || ' ' || value, 'UTF8')), 0);
    create function enter_directory() returns trigger
      language plpgsql security definer set search_path = public as $$
    declare
      row_new jsonb := to_jsonb(new);
      k text := coalesce(row_new ->> 'kind', 'invoice');
      v text := coalesce(row_new ->> 'value', new_invoice(row_new));
      b int := bucket_of(new.company_id, k, v);
      holder text;
    begin
      insert into directory values (new.company_id, k, v, b, '${name}', now())
        on conflict do nothing;
      if found then return new; end if;
      select home into holder from directory
        where company_id = new.company_id and kind = k and value = v and bucket = b;
      if holder = '${name}' then return new; end if;
      return null;
    end $$;
    create function new_invoice(row_new jsonb) returns text language sql immutable return
      (row_new ->> 'source') || ' ' || (row_new ->> 'invoice_number');
    create function leave_directory() returns trigger
      language plpgsql security definer set search_path = public as $$
    begin
      delete from directory where company_id = old.company_id and kind = old.kind
        and value = old.value and bucket = bucket_of(old.company_id, old.kind, old.value)
        and home = '${name}';
      return null;
    end $$;
    -- Removes entries of this node without a row. Recent ones may belong to a transaction that is
    -- not committed yet.
    create function sweep_directory(older interval) returns bigint language sql as $$
      with gone as (
        delete from directory d where home = '${name}' and entered_at < now() - older
          and not exists (select from member_key k where k.company_id = d.company_id
            and k.kind = d.kind and k.value = d.value)
          and not exists (select from transaction t where t.company_id = d.company_id
            and d.kind = 'invoice' and d.value = t.source || ' ' || t.invoice_number)
        returning 1
      ) select count(*) from gone $$;
    create trigger enter before insert on member_key
      for each row execute function enter_directory();
    create trigger leave after delete on member_key
      for each row execute function leave_directory();
    create trigger enter before insert on transaction
      for each row execute function enter_directory();`
}
