# A repository with history: commit, branch, merge, diff, log, blame, repack, clone.
# needs: git
export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@example.org
export GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@example.org
export GIT_AUTHOR_DATE='2024-01-01 00:00:00 +0000' GIT_COMMITTER_DATE='2024-01-01 00:00:00 +0000'
run git -c init.defaultBranch=main init -q repo
cd repo
for i in 1 2 3 4 5 6 7 8 9 10; do
    mkdir -p "dir$((i % 3))"
    text $((i * 300)) >"dir$((i % 3))/file$i"
    text 2000 | sed "s/line $((i * 100)) /changed &/" >common
    run git add -A
    run git commit -q -m "Commit $i"
done
run git checkout -q -b side HEAD~4
text 50 >aside
run git add aside
run git commit -q -m Side
run git checkout -q main
run git merge -q --no-edit side
run git log --stat --format='%H %s' | cksum
run git diff HEAD~5 | cksum
run git blame -s common | cksum
run git log -p --all | cksum
run git repack -q -a -d -f --threads=2
run git fsck --full 2>&1
run git gc -q
run git rev-list --objects --all | cksum
run git grep -c 'line 1' | cksum
run git archive HEAD | cksum
cd ..
run git clone -q --no-local repo copy
run git -C copy log --oneline | cksum
run git -C copy rebase -q HEAD~3
run git -C copy status --short
