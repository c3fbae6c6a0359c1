/* What do documents cost that are built as trees, as a JSON parser does, and then freed: nodes, strings
 * and arrays that grow with each member?
 *
 *   json        100 documents of 20,000 nodes */
#include "work.h"

#define DOCUMENTS 100
#define NODES 20000
#define DEEPEST 5
#define MEMBERS 20 /* of an object or array, at most */

enum kind { NUMBER, TEXT, ARRAY, OBJECT };

struct node { /* 48 bytes */
    enum kind kind;
    double number;
    char *key, *text;
    struct node **members;
    uint32_t count, room;
};

static uint64_t random_state = 1;
static int left; /* nodes of the document */

static char *text(void) { return take(between(&random_state, 8, 80)); }

static struct node *build(int depth, bool named) {
    struct node *n = take(sizeof *n);
    *n = (struct node){.kind = (enum kind)below(&random_state, depth < DEEPEST ? 4 : 2)};
    left--;
    if (named)
        n->key = text();
    if (depth == 0)
        n->kind = ARRAY;
    if (n->kind == TEXT)
        n->text = text();
    if (n->kind < ARRAY)
        return n;
    size_t most = depth ? below(&random_state, MEMBERS + 1) : NODES;
    while (n->count < most && left > 0) {
        if (n->count == n->room) {
            n->room = n->room ? 2 * n->room : 4;
            n->members = realloc(n->members, n->room * sizeof *n->members);
            if (!n->members)
                exit(1);
        }
        n->members[n->count++] = build(depth + 1, n->kind == OBJECT);
    }
    return n;
}

static void destroy(struct node *n) {
    for (uint32_t i = 0; i < n->count; i++)
        destroy(n->members[i]);
    free(n->members);
    free(n->text);
    free(n->key);
    free(n);
}

int main(void) {
    for (int document = 0; document < DOCUMENTS; document++) {
        left = NODES;
        destroy(build(0, false));
    }
    return work_end();
}
