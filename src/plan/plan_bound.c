// SPDX-License-Identifier: Apache-2.0
// A lower bound on every plan's peak: the largest sum of spans live at one step, less what pairs can save there.
//
// Why the savings may be counted like this: take the live requests in the order of their starts. A request adds to the bytes
// covered so far at least its span less its overlaps with the earlier ones, and it overlaps only its partners, each by at most
// the pair's saving, all together by at most its span. So each pair is charged to the request that starts later, and a request's
// charge is capped by its span.
#include <string.h>

#include "plan/plan_problem.h"
#include "plan/plan_sort.h"

typedef struct bound_sweep {
  const plan_problem *p;
  bool raw;
  size_t *charged;  // by request: savings of its live earlier partners
  size_t live;      // sum of live spans
  size_t saved;     // sum of live min(span, charged)
} bound_sweep;

static bool starts_before(const void *context, uint32_t a, uint32_t b) {
  const arn_plan_request *r = context;
  return r[a].first != r[b].first ? r[a].first < r[b].first : a < b;
}

static bool ends_before(const void *context, uint32_t a, uint32_t b) {
  const arn_plan_request *r = context;
  return r[a].last != r[b].last ? r[a].last < r[b].last : a < b;
}

static size_t bound_span(const bound_sweep *s, uint32_t i) { return s->raw ? s->p->requests[i].size : plan_span(s->p, i); }

static size_t bound_saving(const bound_sweep *s, uint32_t i, const plan_partner *x) {
  size_t span = bound_span(s, i), other = bound_span(s, x->other);
  return plan_pair_saving(span, other, x->below < span ? x->below : span, x->above < other ? x->above : other);
}

static void recharge(bound_sweep *s, uint32_t i, size_t charged) {
  size_t span = bound_span(s, i), before = s->charged[i];
  s->saved -= before < span ? before : span;
  s->saved += charged < span ? charged : span;
  s->charged[i] = charged;
}

// charged cannot overflow: savings are at most the partners' spans, which are live together and so sum to at most PLAN_LIMIT.
static bool bound_add(bound_sweep *s, uint32_t i) {
  const arn_plan_request *r = s->p->requests;
  size_t span = bound_span(s, i), charged = 0;
  if (span > PLAN_LIMIT - s->live) return false;
  s->live += span;
  const plan_partner *x = plan_partners_begin(s->p, i), *end = plan_partners_end(s->p, i);
  for (; x < end; x++)
    if (starts_before(r, x->other, i) && r[x->other].last >= r[i].first) charged += bound_saving(s, i, x);
  if (s->charged) recharge(s, i, charged);
  return true;
}

static void bound_remove(bound_sweep *s, uint32_t i) {
  const arn_plan_request *r = s->p->requests;
  s->live -= bound_span(s, i);
  if (!s->charged) return;
  recharge(s, i, 0);
  const plan_partner *x = plan_partners_begin(s->p, i), *end = plan_partners_end(s->p, i);
  for (; x < end; x++) {
    uint32_t later = x->other;
    bool charges = starts_before(r, i, later) && r[later].first <= r[i].last && ends_before(r, i, later);
    if (charges) recharge(s, later, s->charged[later] - bound_saving(s, i, x));
  }
}

// Any set of requests that share a step will do, so the bound is taken after every single start and end.
bool plan_lower_bound(const plan_problem *p, bool raw, arena *scratch, size_t *bound) {
  size_t mark = scratch->head, most = 0;
  uint32_t *starts = PLAN_TAKE(scratch, uint32_t, p->count), *ends = PLAN_TAKE(scratch, uint32_t, p->count);
  size_t *charged = p->partner_start ? PLAN_TAKE(scratch, size_t, p->count) : NULL;
  bound_sweep s = {p, raw, charged, 0, 0};
  bool ok = true;
  for (uint32_t i = 0; i < p->count; i++) {
    starts[i] = ends[i] = i;
    if (charged) charged[i] = 0;
    if (plan_is_fixed(p, i) && p->requests[i].size > 0) {
      size_t end = p->requests[i].fixed_offset + bound_span(&s, i);
      if (end > most) most = end;
    }
  }
  plan_sort(starts, p->count, starts_before, p->requests);
  plan_sort(ends, p->count, ends_before, p->requests);
  for (uint32_t a = 0, e = 0; ok && a < p->count; a++) {
    while (p->requests[ends[e]].last < p->requests[starts[a]].first) {
      bound_remove(&s, ends[e++]);
      if (s.live - s.saved > most) most = s.live - s.saved;
    }
    ok = bound_add(&s, starts[a]);
    if (ok && s.live - s.saved > most) most = s.live - s.saved;
  }
  arena_head_reset(scratch, mark);
  *bound = most;
  return ok;
}

size_t plan_bound_scratch(uint32_t count, uint32_t pairs) {
  size_t total = plan_scratch_array(0, count, sizeof(uint32_t));
  total = plan_scratch_array(total, count, sizeof(uint32_t));
  return pairs ? plan_scratch_array(total, count, sizeof(size_t)) : total;
}
